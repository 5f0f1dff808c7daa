import {
  aadTemplate,
  fillAad,
  type AadTemplate,
  type EnvelopeFields,
  type EnvelopeRoute,
} from './envelope.ts';

/** There are six hints and two types; anything beyond is built and forgotten. */
const MAX_TEMPLATES = 16;

/** Builds the AADs of one route, keeping what its frames share: ids are turned to bytes once, not once a frame. */
export class AadBuilder {
  readonly #route: EnvelopeRoute;
  readonly #templates = new Map<string, AadTemplate>();

  constructor(route: EnvelopeRoute) {
    this.#route = route;
  }

  build(fields: EnvelopeFields): Uint8Array {
    const { type, blockType } = fields;
    const name = type === 'block' ? blockType : `control ${blockType}`;
    let template = this.#templates.get(name);
    if (template === undefined) {
      template = aadTemplate(this.#route, type, blockType);
      if (this.#templates.size < MAX_TEMPLATES) this.#templates.set(name, template);
    }
    return fillAad(template, fields);
  }
}
