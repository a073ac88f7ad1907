// A form, as all pages have it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { StorefrontError } from "storefront-client";

/** Form shows a failure where it belongs: each member's message at its field. */
export function Form({
  fields,
  button,
  send,
  changed,
  children,
}: {
  fields: { name: string; label: string; type?: string; value?: string; autocomplete?: string }[];
  button: string;
  send: (values: Record<string, string>) => Promise<void>;
  /** Is called with all values when a field was left with another one. */
  changed?: (values: Record<string, string>) => void;
  children?: ComponentChildren;
}) {
  const valuesOf = (form: HTMLFormElement) =>
    Object.fromEntries([...new FormData(form)].map(([k, v]) => [k, String(v)]));
  const [failure, setFailure] = useState<StorefrontError | null>(null);
  const [busy, setBusy] = useState(false);
  return (
    <form
      onChange={(event) => changed?.(valuesOf(event.currentTarget))}
      onSubmit={async (event) => {
        event.preventDefault();
        setBusy(true);
        setFailure(null);
        try {
          await send(valuesOf(event.currentTarget));
        } catch (cause) {
          setFailure(
            cause instanceof StorefrontError ? cause : new StorefrontError("INTERNAL", String(cause)),
          );
        }
        setBusy(false);
      }}
    >
      {fields.map((f) => (
        <label key={f.name}>
          <span>{f.label}</span>
          <input
            name={f.name}
            type={f.type ?? "text"}
            defaultValue={f.value}
            autocomplete={f.autocomplete}
            required
            dir="auto"
            aria-invalid={Boolean(failure?.at(f.name))}
          />
          {failure?.at(f.name) && <small class="warning">{failure.at(f.name)}</small>}
        </label>
      ))}
      {children}
      {failure && failure.fields.length === 0 && (
        <p class="warning" role="alert">
          {failure.message}
        </p>
      )}
      <button class="button wide" disabled={busy}>
        {button}
      </button>
    </form>
  );
}

/** Choices lets the customer choose one of several things, each with a line about it. */
export function Choices({
  legend,
  chosen,
  choose,
  of,
}: {
  legend: string;
  chosen: string | undefined;
  choose: (value: string) => void;
  of: { value: string; label: string; about?: ComponentChildren; disabled?: boolean }[];
}) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {of.map(({ value, label, about, disabled }) => (
        <label key={value}>
          <input
            type="radio"
            name={legend}
            checked={value === chosen}
            disabled={disabled}
            onChange={() => choose(value)}
          />
          {label}
          {about && <small>{about}</small>}
        </label>
      ))}
    </fieldset>
  );
}
