import { EditorContext, useEditorContext } from '@graphiql/react';
import { useMemo } from 'react';

// Titled gives the tabs of examples the examples' titles; GraphiQL itself names a tab after its operation.
export function Titled({ examples, children }) {
  const editor = useEditorContext({ nonNull: true });
  const titled = useMemo(() => {
    const titles = new Map(examples.flatMap(({ title, operations }) => operations.map((name) => [name, title])));
    return { ...editor, tabs: editor.tabs.map((tab) => ({ ...tab, title: titles.get(tab.title) ?? tab.title })) };
  }, [editor, examples]);
  return <EditorContext.Provider value={titled}>{children}</EditorContext.Provider>;
}
