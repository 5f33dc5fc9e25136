export async function consumeBatch(batch: MessageBatch, _env: Env): Promise<void> {
  batch.ackAll();
}
