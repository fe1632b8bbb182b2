export { conversationColumns, numberedCardColumns } from './columns.ts';
