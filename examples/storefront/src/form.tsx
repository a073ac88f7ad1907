// A form, as all pages have it.
import { useState } from "preact/hooks";
import { Failure } from "./api";

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
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const wrong = (name: string) => failure?.fields.find((f) => f.field.endsWith(name))?.message;
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
        } catch (error) {
          setFailure(error instanceof Failure ? error : new Failure("", String(error)));
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
            aria-invalid={Boolean(wrong(f.name))}
          />
          {wrong(f.name) && <small class="warning">{wrong(f.name)}</small>}
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
