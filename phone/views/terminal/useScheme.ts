import { useEffect, useState } from 'preact/hooks';
import { darkScheme, lightScheme, withMoreContrast, type Scheme } from './palette.ts';

const schemes = {
  light: [lightScheme, withMoreContrast(lightScheme)],
  dark: [darkScheme, withMoreContrast(darkScheme)],
} as const;

/** The colours that the system asks for now. */
export function useScheme(): Scheme {
  const isDark = useMedia('(prefers-color-scheme: dark)');
  const [usual, more] = isDark ? schemes.dark : schemes.light;
  return useMedia('(prefers-contrast: more)') ? more : usual;
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const read = (): void => setMatches(media.matches);
    read();
    media.addEventListener('change', read);
    return () => media.removeEventListener('change', read);
  }, [query]);
  return matches;
}
