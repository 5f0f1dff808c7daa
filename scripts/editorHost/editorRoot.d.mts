/** Folders of one editor. `home` and `temp`, where given, stand in for the person's own. */
export interface EditorFolders {
  readonly config: string;
  readonly data: string;
  readonly extensions: string;
  readonly home?: string;
  readonly temp?: string;
}
export interface EditorRoot extends EditorFolders {
  readonly folder: string;
  readonly home: string;
  readonly temp: string;
  readonly workspace: string;
  readonly browserProfile: string;
  dispose(): void;
}
export function makeEditorRoot(options?: { settings?: Readonly<Record<string, unknown>> }): EditorRoot;
export function shortTempFolder(folder?: string): string;
