// node audit.mjs URL runs every audit of graphql-http against a server. It prints one JSON object a line:
// {id, name, status: "ok" | "notice" | "warn" | "error", reason?}.
import { serverAudits } from 'graphql-http'

for (const audit of serverAudits({ url: process.argv[2], fetchFn: fetch })) {
  const { id, name, status, reason } = await audit.fn()
  console.log(JSON.stringify({ id, name, status, reason }))
}
