import { createHash } from 'node:crypto';

/** A short fingerprint of the lock file for one platform; another platform needs other binaries. */
export function lockStamp(lockText, platform = process.platform, arch = process.arch) {
  return createHash('sha256').update(`${platform} ${arch}\n${lockText}`).digest('hex').slice(0, 32);
}

/**
 * Says whether what npm last installed is what the lock file asks for. npm writes node_modules/.package-lock.json for
 * itself; it lacks the optional packages of other platforms.
 *
 * @param {string} lockText package-lock.json
 * @param {string} installedText node_modules/.package-lock.json
 */
export function isInstalled(lockText, installedText) {
  const wanted = JSON.parse(lockText).packages;
  const present = JSON.parse(installedText).packages;
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '') return true;
    const found = present[place];
    if (found === undefined) return entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}
