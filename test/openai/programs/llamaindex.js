import { OpenAI, OpenAIEmbedding } from "@llamaindex/openai";

const settings = { apiKey: process.env.HUB_API_KEY, baseURL: `${process.env.HUB_URL}/v1` };

const steps = {
  async chat() {
    const model = new OpenAI({ model: "sandbox-text", ...settings });
    const messages = [{ role: "user", content: "What does a lighthouse see?" }];
    let [text, tokens, chunks] = ["", 0, 0];
    for await (const { delta, raw } of await model.chat({ messages, stream: true })) {
      text += delta;
      tokens += raw?.usage?.total_tokens ?? 0;
      chunks += 1;
    }
    return { text, tokens, chunks };
  },
  async embed() {
    const model = new OpenAIEmbedding({ model: "sandbox-embedding", ...settings });
    return { vectors: (await model.getTextEmbeddings(["a lighthouse", "the sea"])).map(({ length }) => length) };
  },
};
console.log(JSON.stringify(await steps[process.argv[2]]()));
