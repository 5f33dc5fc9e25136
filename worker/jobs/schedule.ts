export async function runDueJobs(_env: Env, _now: number): Promise<void> {}
