import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';

const confirmedMs = 1_600;

/** Copies a text, and says that it did. Without a clipboard (a page that was not loaded securely) it is not there. */
export function CopyButton({ text }: { readonly text: string }): JSX.Element | null {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), confirmedMs);
    return () => clearTimeout(timer);
  }, [copied]);
  if (!('clipboard' in navigator)) return null;
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // Refused by the browser: the text can still be selected.
      () => undefined,
    );
  };
  return (
    <button type="button" class="copy" onClick={copy}>
      {copied ? 'Copied' : 'Copy'}
    </button>
  );
}
