/** Agents whose real command line is tested. The first version is the one that the whole suite runs on. */
export const claudeVersions = ['2.1.332', '2.1.197'];
