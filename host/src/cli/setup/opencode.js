// Connects OpenCode with twiceshy, a learning memory: https://opencode.ai/docs/plugins. Made by `twiceshy setup`, which
// replaces it; `twiceshy setup --undo --host opencode` removes it. Mark: --by-setup
import { spawn } from "node:child_process"

const PROGRAM = "@PROGRAM@"
const PATIENCE = 10000

// What twiceshy says about an event; nothing if it has nothing to say or does not answer.
function ask(event, body) {
  return new Promise((resolve) => {
    let said = ""
    const done = () => {
      try {
        resolve(JSON.parse(said).text || "")
      } catch {
        resolve("")
      }
    }
    try {
      const child = spawn(PROGRAM, ["hook", "opencode", event, "--by-setup"], { stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => resolve(""), PATIENCE)
      timer.unref?.()
      child.on("error", () => resolve(""))
      child.on("close", done)
      child.stdout.on("data", (bytes) => (said += bytes))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(body))
    } catch {
      resolve("")
    }
  })
}

export const Twiceshy = async ({ directory }) => {
  // Tools that failed, by their calls: what is said about them is put into the next request.
  const failed = new Map()
  return {
    "chat.message": async (input, output) => {
      const parts = (output.parts || []).filter((part) => part.type === "text")
      const text = await ask("chat.message", { directory, input, output: { parts } })
      if (text && parts[0]) {
        const id = "prt_zz" + String(parts[0].id).slice(6)
        output.parts.push({ ...parts[0], id, text, synthetic: true })
      }
    },
    "tool.execute.after": async (input, output) => {
      const text = await ask("tool.execute.after", { directory, input, output })
      if (text && typeof output?.output === "string") output.output += "\n" + text
      else if (text && Array.isArray(output?.content)) output.content.push({ type: "text", text })
    },
    event: async ({ event }) => {
      const part = event.properties?.part
      if (event.type === "message.part.updated") {
        const is_new = part?.type === "tool" && part.state?.status === "error" && !failed.has(part.callID)
        if (is_new) failed.set(part.callID, ask(event.type, { directory, input: event }))
      } else if (["session.created", "session.compacted", "session.idle", "session.error", "session.deleted"].includes(event.type)) {
        await ask(event.type, { directory, input: event })
      }
    },
    "experimental.chat.messages.transform": async (_, output) => {
      for (const message of output.messages || []) {
        for (const part of message.parts || []) {
          if (part.type !== "tool" || part.state?.status !== "error") continue
          const text = await failed.get(part.callID)
          if (text && !part.state.error.includes(text)) part.state.error += "\n" + text
        }
      }
    },
  }
}
