export function setSetting(text: string, name: string, value: string): string;
export function readSetting(text: string, name: string): string | undefined;
