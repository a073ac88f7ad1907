// The playground: a bar with the access token above GraphiQL, which opens with the examples that stand in the page.
import { GraphiQLInterface, GraphiQLProvider } from 'graphiql';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

import { Bar } from './bar.jsx';
import { readExamples } from './examples.js';
import { fetcher } from './fetcher.js';
import { leaveByKeys } from './keys.js';
import { keepToken, readToken, storage } from './token.js';
import { Titled } from './titles.jsx';

const { tabs, examples } = await readExamples();

// Where a tab's variables first come from is not the tab, in GraphiQL, but what it remembers.
if (!storage.getItem('graphiql:tabState')) {
  storage.setItem('graphiql:query', tabs[0].query);
  storage.setItem('graphiql:variables', tabs[0].variables);
}

// showAnswer scrolls to the answer on narrow screens, where it is below the query.
function showAnswer() {
  if (matchMedia('(max-width: 700px)').matches) {
    document.querySelector('.graphiql-response')?.scrollIntoView({ block: 'start' });
  }
}

function Playground() {
  const [token, setToken] = useState(readToken);
  const [offered, setOffered] = useState('');
  const use = (text) => {
    setToken(keepToken(text));
    setOffered('');
  };
  const [ask] = useState(() => fetcher(setOffered, showAnswer));
  // All that GraphiQL remembers goes into the session: a password that was typed into the variables ends with the tab.
  return (
    <>
      <Bar token={token} onToken={use} offered={offered !== token && offered} />
      <GraphiQLProvider fetcher={ask} defaultTabs={tabs} storage={storage} shouldPersistHeaders={false}>
        <Titled examples={examples}>
          <GraphiQLInterface showPersistHeadersSettings={false} defaultEditorToolsVisibility="variables" />
        </Titled>
      </GraphiQLProvider>
    </>
  );
}

leaveByKeys(document);
createRoot(document.getElementById('playground')).render(<Playground />);
