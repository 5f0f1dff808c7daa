import type { StoryWorld } from './storyWorld.ts';

/** Something that somebody does. */
export interface Action {
  readonly name: string;
  /** How often it is drawn, against the others that are possible. */
  readonly weight: number;
  readonly isPossible: (world: StoryWorld) => boolean;
  readonly run: (world: StoryWorld) => Promise<void>;
}
