// root is the address where the service begins: not always that of the host, as a reverse proxy may serve it below
// a path.
export const root = new URL('../../', import.meta.url);
