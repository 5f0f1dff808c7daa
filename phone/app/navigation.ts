import { signal, type ReadonlySignal } from '@preact/signals';
import { historyState, type Route, type SheetRoute } from './route.ts';

const start: Route = { screen: 'list' };

/** Moves between screens through the browser's history. The address never changes. */
export class Navigation {
  readonly #history: History;
  readonly #route = signal<Route>(start);
  /** Entries of this app below the present one. */
  #depth = 0;

  readonly route: ReadonlySignal<Route> = this.#route;

  constructor(history: History, page: Window) {
    this.#history = history;
    page.addEventListener('popstate', event => this.#read(event.state));
    this.#read(history.state);
  }

  open(route: Route): void {
    this.#depth += 1;
    this.#history.pushState({ route, depth: this.#depth }, '');
    this.#route.value = route;
  }

  replace(route: Route): void {
    this.#history.replaceState({ route, depth: this.#depth }, '');
    this.#route.value = route;
  }

  /** Takes over an entry that the browser made by itself, as for a link within the page. */
  adopt(route: Route): void {
    this.#depth += 1;
    this.replace(route);
  }

  openSheet(sheet: SheetRoute): void {
    this.open({ ...this.#route.value, sheet });
  }

  back(): void {
    if (this.#depth > 0) this.#history.back();
    else this.replace(start);
  }

  #read(state: unknown): void {
    const known = historyState.safeParse(state);
    this.#depth = known.success ? known.data.depth : 0;
    this.#route.value = known.success ? known.data.route : start;
  }
}
