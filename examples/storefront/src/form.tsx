// A form, as all pages have it.
import { useState } from "preact/hooks";
import { StorefrontError } from "storefront-client";

/** Form shows a failure where it belongs: each member's message at its field. */
export function Form({
  fields,
  button,
  send,
}: {
  fields: { name: string; label: string; type?: string; value?: string; autocomplete?: string }[];
  button: string;
  send: (values: Record<string, string>) => Promise<void>;
}) {
  const [failure, setFailure] = useState<StorefrontError | null>(null);
  const [busy, setBusy] = useState(false);
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        setBusy(true);
        setFailure(null);
        const values = Object.fromEntries(
          [...new FormData(event.currentTarget)].map(([k, v]) => [k, String(v)]),
        );
        try {
          await send(values);
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
