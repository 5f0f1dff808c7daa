import { useEffect, useId, useRef } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import { Icon } from './icon.tsx';

interface Properties {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A dialog over the screen. The browser keeps the focus in it, and the back button closes it. */
export function Sheet({ title, children }: Properties): JSX.Element {
  const { navigation } = useShell();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    current?.showModal();
    return () => {
      current?.close();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault();
        navigation.back();
      }}
      onClick={event => {
        if (event.target === dialog.current) navigation.back();
      }}
    >
      <div class="sheet-body">
        <header class="sheet-head">
          <h2 id={id} tabIndex={-1} autofocus>
            {title}
          </h2>
          <button
            type="button"
            class="icon-button"
            aria-label="Close"
            onClick={() => {
              navigation.back();
            }}
          >
            <Icon name="cross" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
