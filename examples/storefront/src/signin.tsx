// Signing in and up: by a code to the phone, or by a password.
import { useState } from "preact/hooks";
import type { LinkPending, SignedIn } from "storefront-client";
import { Form } from "./form";
import { Frame, graphql, shop } from "./shop";
import { FrameOnly, go, Title, useHere, usePage, useWords } from "./ui";

type Done = (outcome: SignedIn | LinkPending) => void;
type Ticket = { ticket: string; cellNumber: string };

export function SignIn({ to }: { to: string }) {
  const [word, { say }] = [useWords(), useHere()];
  const [byPassword, setByPassword] = useState(false);
  usePage(FrameOnly, {});
  const done: Done = (outcome) => {
    if (outcome.status === "linkPending") return say(outcome.message);
    if (outcome.leftOut.length)
      say(`${word("Did not fit into your cart:")} ${outcome.leftOut.map((line) => line.title).join(", ")}`);
    ended = outcome.message ?? "";
    go(outcome.formerAccessEnded ? `/password?to=${encodeURIComponent(to)}` : to);
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

const useNames = () => {
  const word = useWords();
  return [
    { name: "firstName", label: word("First name"), autocomplete: "given-name" },
    { name: "lastName", label: word("Last name"), autocomplete: "family-name" },
  ];
};
const registration = ({
  cellNumber = "",
  firstName = "",
  lastName = "",
  ...rest
}: Record<string, string>) => ({
  cellNumber,
  firstName,
  lastName,
  ...rest,
});

/**
 * ByPhone asks for the cell number, then the code, and then, for a new account, the name. Customers need not know
 * beforehand whether they have an account.
 */
function ByPhone({ done, noCodes }: { done: Done; noCodes: () => void }) {
  const [word, names, { say }] = [useWords(), useNames(), useHere()];
  const [cell, setCell] = useState("");
  const [ticket, setTicket] = useState<Ticket | null>(null);
  if (ticket)
    return (
      <>
        <Title text={word("What is your name?")} />
        <Form
          key="name"
          button={word("Register")}
          fields={names}
          send={async (values) => done(await shop.session.register(registration({ ...values, ...ticket })))}
        />
      </>
    );
  return (
    <>
      <Title text={word("Sign in")} />
      {cell ? (
        <Form
          key="code"
          button={word("Sign in")}
          fields={[{ name: "code", label: word("Code"), autocomplete: "one-time-code" }]}
          send={async ({ code = "" }) => {
            const found = await shop.session.signInByCode(cell, code);
            if (found.status === "noAccount")
              setTicket({ ticket: found.ticket, cellNumber: found.cellNumber });
            else done(found);
          }}
        />
      ) : (
        <Form
          key="cell"
          button={word("Send a code")}
          fields={[{ name: "cellNumber", label: word("Cell number"), type: "tel", autocomplete: "username" }]}
          send={async ({ cellNumber = "" }) => {
            const { enabled, message } = await shop.session.sendCode(cellNumber);
            say(message);
            if (enabled) setCell(cellNumber);
            else noCodes();
          }}
        />
      )}
      {cell && (
        <button type="button" class="plain" onClick={() => setCell("")}>
          {word("Send another code")}
        </button>
      )}
    </>
  );
}

function ByPassword({ done }: { done: Done }) {
  const [word, names] = [useWords(), useNames()];
  const [fresh, setFresh] = useState(false);
  const cell = { name: "cellNumber", label: word("Cell number"), type: "tel", autocomplete: "username" };
  const password = { name: "password", label: word("Password"), type: "password" };
  return (
    <>
      <Title text={word(fresh ? "Register" : "Sign in")} />
      {fresh ? (
        <Form
          key="register"
          button={word("Register")}
          fields={[{ ...cell, value: "+98" }, { ...password, autocomplete: "new-password" }, ...names]}
          send={async (values) => done(await shop.session.register(registration(values)))}
        />
      ) : (
        <Form
          key="login"
          button={word("Sign in")}
          fields={[cell, { ...password, autocomplete: "current-password" }]}
          send={async ({ cellNumber = "", password = "" }) =>
            done(await shop.session.signIn(cellNumber, password))
          }
        />
      )}
      <button type="button" class="plain" onClick={() => setFresh(!fresh)}>
        {word(fresh ? "I have an account" : "I am new here")}
      </button>
    </>
  );
}

let ended = ""; // what the last sign-in said

const Own = graphql(
  `query Own($domain: String!, $cold: Boolean!, $cartToken: String, $hasCart: Boolean!) {
    ...Frame @include(if: $cold)
    me { cellNumber }
  }`,
  [Frame],
);
const ChangePassword = graphql(
  `mutation ChangePassword($input: ChangePasswordInput!) { changePassword(input: $input) { message } }`,
);

/**
 * NewPassword follows a sign-in that ended the password of before, as somebody else may have set it: it offers to set
 * another by a second code.
 */
export function NewPassword({ to }: { to: string }) {
  const [word, { say }] = [useWords(), useHere()];
  const [isSent, setSent] = useState(false);
  const { data } = usePage(Own, {});
  return (
    <div class="narrow">
      <Title text={word("Set a new password")} />
      <p>{ended}</p>
      {isSent ? (
        <Form
          key="password"
          button={word("Set a new password")}
          fields={[
            { name: "code", label: word("Code"), autocomplete: "one-time-code" },
            { name: "newPassword", label: word("Password"), type: "password", autocomplete: "new-password" },
          ]}
          send={async ({ code = "", newPassword = "" }) => {
            say((await shop.ask(ChangePassword, { input: { code, newPassword } })).changePassword.message);
            go(to);
          }}
        />
      ) : (
        <Form
          key="send"
          button={word("Send a code")}
          fields={[]}
          send={async () => {
            const sent = await shop.session.sendCode(data?.me?.cellNumber ?? "");
            say(sent.message);
            setSent(sent.enabled);
          }}
        />
      )}
      <button type="button" class="plain" onClick={() => go(to)}>
        {word("Not now")}
      </button>
    </div>
  );
}
