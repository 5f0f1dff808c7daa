/**
 * A QR code for the terminal. Loaded late: its package is there only after the installation.
 *
 * @param {string} url
 * @returns {Promise<string>}
 */
export async function addressCode(url) {
  const { default: qrcode } = await import('qrcode');
  return qrcode.toString(url, { type: 'terminal', small: true });
}
