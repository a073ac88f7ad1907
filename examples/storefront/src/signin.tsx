// Signing in and up: by a code to the phone, or by a password.
import { useState } from "preact/hooks";
import { ask, domain, session } from "./api";
import { mergeGuest } from "./cart";
import { Form } from "./form";
import { go, useHere, useWords } from "./ui";

type Done = (pair: { accessToken: string; refreshToken: string }) => Promise<void>;

export function SignIn({ to }: { to: string }) {
  const [word, { say }] = [useWords(), useHere()];
  const [byPassword, setByPassword] = useState(false);
  const done: Done = async ({ accessToken, refreshToken }) => {
    session.set({ accessToken, refreshToken });
    const left = await mergeGuest();
    if (left.length > 0) say(`${word("Did not fit into your cart:")} ${left.join(", ")}`);
    go(to);
  };
  return (
    <div class="narrow">
      {byPassword ? <ByPassword done={done} /> : <ByPhone done={done} noCodes={() => setByPassword(true)} />}
      <button type="button" class="plain" onClick={() => setByPassword(!byPassword)}>
        {word(byPassword ? "Use a code by SMS" : "Use a password")}
      </button>
    </div>
  );
}

/** The cell, then the code, then, for who is new, the name: nobody has to know before whether there is an account. */
function ByPhone({ done, noCodes }: { done: Done; noCodes: () => void }) {
  const [word, { say }] = [useWords(), useHere()];
  const [cell, setCell] = useState("");
  const [ticket, setTicket] = useState<{ ticket: string; cellNumber: string } | null>(null);
  if (!cell)
    return (
      <>
        <h1>{word("Sign in")}</h1>
        <Form
          key="cell"
          button={word("Send a code")}
          fields={[{ name: "cellNumber", label: word("Cell number"), type: "tel", autocomplete: "username" }]}
          send={async ({ cellNumber = "" }) => {
            const { sendOtp } = await ask<{ sendOtp: { enabled: boolean; message: string } }>(
              `mutation($input: SendOtpInput!) { sendOtp(input: $input) {
                ... on OtpSent { enabled message } ... on OtpUnavailable { enabled message } } }`,
              { input: { cellNumber, domain } },
            );
            say(sendOtp.message);
            if (sendOtp.enabled) setCell(cellNumber);
            else noCodes();
          }}
        />
      </>
    );
  if (!ticket)
    return (
      <>
        <h1>{word("Sign in")}</h1>
        <Form
          key="code"
          button={word("Sign in")}
          fields={[{ name: "code", label: word("Code"), autocomplete: "one-time-code" }]}
          send={async ({ code }) => {
            const { body } = await ask<{
              body: { accessToken?: string; refreshToken?: string; ticket?: string; cellNumber?: string };
            }>(
              `mutation($input: SignInByCodeInput!) { body: signInByCode(input: $input) {
                ... on SignInPayload { accessToken refreshToken } ... on NoAccount { ticket cellNumber } } }`,
              { input: { cellNumber: cell, code, domain } },
            );
            if (body.accessToken && body.refreshToken)
              await done({ accessToken: body.accessToken, refreshToken: body.refreshToken });
            else if (body.ticket && body.cellNumber) setTicket({ ticket: body.ticket, cellNumber: body.cellNumber });
          }}
        />
        <button type="button" class="plain" onClick={() => setCell("")}>
          {word("Send another code")}
        </button>
      </>
    );
  return (
    <>
      <h1>{word("What is your name?")}</h1>
      <Form
        key="name"
        button={word("Register")}
        fields={[
          { name: "firstName", label: word("First name"), autocomplete: "given-name" },
          { name: "lastName", label: word("Last name"), autocomplete: "family-name" },
        ]}
        send={async (input) => {
          const { body } = await ask<{ body: { signIn?: { accessToken: string; refreshToken: string } } }>(
            `mutation($input: RegisterInput!) { body: register(input: $input) {
              ... on Registered { signIn { accessToken refreshToken } } } }`,
            { input: { ...input, ...ticket, domain } },
          );
          if (body.signIn) await done(body.signIn);
        }}
      />
    </>
  );
}

function ByPassword({ done }: { done: Done }) {
  const [word, { say }] = [useWords(), useHere()];
  const [fresh, setFresh] = useState(false);
  const common = [
    {
      name: "cellNumber",
      label: word("Cell number"),
      type: "tel",
      autocomplete: "username",
      value: fresh ? "+98" : "",
    },
    {
      name: "password",
      label: word("Password"),
      type: "password",
      autocomplete: fresh ? "new-password" : "current-password",
    },
  ];
  return (
    <>
      <h1>{word(fresh ? "Register" : "Sign in")}</h1>
      {fresh ? (
        <Form
          key="register"
          button={word("Register")}
          fields={[
            ...common,
            { name: "firstName", label: word("First name"), autocomplete: "given-name" },
            { name: "lastName", label: word("Last name"), autocomplete: "family-name" },
          ]}
          send={async (input) => {
            const { body } = await ask<{
              body: { signIn?: { accessToken: string; refreshToken: string }; message?: string };
            }>(
              `mutation($input: RegisterInput!) { body: register(input: $input) {
                ... on Registered { signIn { accessToken refreshToken } } ... on LinkPending { message } } }`,
              { input: { ...input, domain } },
            );
            if (body.signIn) await done(body.signIn);
            else say(body.message ?? "");
          }}
        />
      ) : (
        <Form
          key="login"
          button={word("Sign in")}
          fields={common}
          send={async (input) => {
            const { body } = await ask<{ body: { accessToken: string; refreshToken: string } }>(
              `mutation($input: LoginInput!) { body: login(input: $input) { accessToken refreshToken } }`,
              { input },
            );
            await done(body);
          }}
        />
      )}
      <button type="button" class="plain" onClick={() => setFresh(!fresh)}>
        {word(fresh ? "I have an account" : "I am new here")}
      </button>
    </>
  );
}
