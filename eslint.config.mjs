import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';

const timeAndChance = [
  { object: 'Date', property: 'now', message: 'Take a Clock port (core/base/clock.ts).' },
  { object: 'Math', property: 'random', message: 'Take random bytes from the crypto port.' },
];

/** What ESLint recommends: its package of recommended rules is no dependency of ESLint itself. */
const recommended = Object.fromEntries(
  [...builtinRules].flatMap(([name, { meta }]) => (meta.docs?.recommended === true ? [[name, 'error']] : [])),
);
const scripts = ['scripts/**/*.mjs', '*.mjs'];
const typed = ['**/*.ts', '**/*.tsx', '**/*.mts'];

export default tseslint.config(
  { ignores: ['dist/**', 'out/**', 'node_modules/**', 'test/vectors/**', 'test/fixtures/**', 'media/**'] },
  {
    files: scripts,
    languageOptions: {
      globals: Object.fromEntries(Object.getOwnPropertyNames(globalThis).map(name => [name, 'readonly'])),
    },
    rules: {
      ...recommended,
      'no-unused-vars': ['error', { varsIgnorePattern: '^_' }],
      'prefer-const': 'error',
      'no-var': 'error',
      eqeqeq: 'error',
    },
  },
  { files: typed, extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked] },
  {
    files: typed,
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: false },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Use named exports.' },
        { selector: 'ExportAllDeclaration', message: 'No barrels.' },
      ],
      'no-restricted-properties': ['error', ...timeAndChance],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['core/base/clock.ts', 'src/host/**', 'relay/main.ts', 'phone/app/main.tsx', 'test/**'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['test/**'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/require-await': 'off',
    },
  },
);
