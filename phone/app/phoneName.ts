/** What a browser tells of the device it runs on. */
export interface DeviceHints {
  readonly userAgent: string;
  /** From the user-agent client hints, where the browser has them. */
  readonly model: string | undefined;
  /** Tells an iPad from a Mac, as which it poses. */
  readonly touchPoints: number;
}

/** A first guess at what the owner calls this device. */
export function phoneNameOf({ userAgent, model, touchPoints }: DeviceHints): string {
  if (model !== undefined && model.trim() !== '') return model.trim();
  if (userAgent.includes('iPhone')) return 'iPhone';
  if (userAgent.includes('iPad') || (userAgent.includes('Macintosh') && touchPoints > 1)) return 'iPad';
  const android = /Android [\d.]+; ([^;)]+?)(?: Build\/[^)]*)?\)/.exec(userAgent)?.[1]?.trim();
  if (android !== undefined) return android === 'K' || android === 'Mobile' ? 'Android phone' : android;
  return `${browserOf(userAgent)} on ${systemOf(userAgent)}`;
}

function browserOf(userAgent: string): string {
  if (userAgent.includes('Firefox/')) return 'Firefox';
  if (userAgent.includes('Edg/')) return 'Edge';
  if (/Chrom(e|ium)\//.test(userAgent)) return 'Chrome';
  return userAgent.includes('Safari/') ? 'Safari' : 'Browser';
}

function systemOf(userAgent: string): string {
  if (userAgent.includes('Windows')) return 'Windows';
  if (userAgent.includes('Macintosh')) return 'Mac';
  if (userAgent.includes('CrOS')) return 'ChromeOS';
  return /Linux|X11/.test(userAgent) ? 'Linux' : 'this device';
}
