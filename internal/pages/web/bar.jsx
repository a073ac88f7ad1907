import { expiry } from './token.js';

const { root } = document.body.dataset; // where the service begins, seen from the page

// Bar holds the access token and the ways out of the page. offered is the token of a sign-in that was just run.
export function Bar({ token, onToken, offered }) {
  return (
    <header className="bar">
      <a className="bar-name" href={`${root}/`}>
        Storefront <span>GraphQL</span>
      </a>
      <label className="bar-token">
        <span>Access token</span>
        <input
          id="token"
          value={token}
          onChange={(event) => onToken(event.target.value)}
          placeholder="paste the accessToken of a sign-in; it is sent as Authorization: Bearer"
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <Expiry token={token} />
      {offered && (
        <button type="button" id="use-token" onClick={() => onToken(offered)}>
          Use the new token
        </button>
      )}
      <nav>
        <a href={`${root}/docs`}>REST API</a>
        <a href={document.body.dataset.notices}>Licences</a>
      </nav>
    </header>
  );
}

function Expiry({ token }) {
  if (!token) {
    return null;
  }
  const until = expiry(token);
  if (!until) {
    return <span className="bar-bad">not an access token</span>;
  }
  const time = until.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return until > new Date() ? <span className="bar-good">good until {time}</span> : <span className="bar-bad">ended at {time}</span>;
}
