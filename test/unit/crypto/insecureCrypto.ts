/** The platform's cryptography as a page sees it that was not loaded securely: random numbers, but no subtle. */
export function insecureCrypto(): Crypto {
  return new Proxy(globalThis.crypto, {
    get(target, name): unknown {
      if (name === 'subtle') return undefined;
      if (name === 'getRandomValues') return target.getRandomValues.bind(target);
      return undefined;
    },
  });
}
