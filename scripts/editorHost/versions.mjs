/** The editor the project is tested in: code-server 4.139.1 is VS Code 1.139.1; it needs the pinned Node 24. */
export const codeServerVersion = '4.139.1';
export const nodeVersion = '24.21.0';
