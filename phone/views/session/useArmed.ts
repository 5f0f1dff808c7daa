import { useEffect, useState } from 'preact/hooks';

/** A card takes answers this long after it appeared, so that a tap meant for what stood there before is none. */
const armMs = 400;

export function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), armMs);
    return () => clearTimeout(timer);
  }, []);
  return armed;
}
