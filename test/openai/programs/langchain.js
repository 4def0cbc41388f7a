import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";

const apiKey = process.env.HUB_API_KEY;
const configuration = { baseURL: `${process.env.HUB_URL}/v1` };

const steps = {
  async chat() {
    const model = new ChatOpenAI({ model: "sandbox-text", apiKey, configuration });
    let [text, tokens, chunks] = ["", 0, 0];
    for await (const chunk of await model.stream("What does a lighthouse see?")) {
      text += chunk.text;
      tokens += chunk.usage_metadata?.total_tokens ?? 0;
      chunks += 1;
    }
    return { text, tokens, chunks };
  },
  async embed() {
    const model = new OpenAIEmbeddings({ model: "sandbox-embedding", apiKey, configuration });
    return { vectors: (await model.embedDocuments(["a lighthouse", "the sea"])).map(({ length }) => length) };
  },
};
console.log(JSON.stringify(await steps[process.argv[2]]()));
