import AudioGraph
import Engine
import JSON
import OfflineProcessing

/// A plan as text, dot, mermaid or JSON, with format and delay on every edge.
struct GraphText {
  let steps: [PlanStep]
  let sampleRate: Int
  /// Level that is set behind the graph; nil if none is.
  let loudnessTarget: LoudnessTarget?

  /// A line for each step, in the order in which they run.
  var text: String {
    var lines = ["\(steps.count) steps per tick of 10 ms at \(sampleRate) Hz"]
    for (index, step) in steps.enumerated() {
      let latency = step.latency > 0 ? ", adds \(step.latency) samples" : ""
      lines.append("\(index + 1). \(step.name) (\(step.kind)\(latency))")
      for input in step.inputs {
        lines.append("     from \(input.step + 1). \(steps[input.step].name): \(label(input))")
      }
    }
    if let level { lines.append("level: \(level), behind the graph") }
    return lines.joined(separator: "\n")
  }

  /// The graph for Graphviz.
  var dot: String {
    var lines = ["digraph audiopipe {", "  rankdir=LR;", "  node [shape=box, fontname=\"sans-serif\"];"]
    for (index, step) in steps.enumerated() { lines.append("  n\(index) [label=\"\(escaped(step.name))\"];") }
    for (index, step) in steps.enumerated() {
      for input in step.inputs { lines.append("  n\(input.step) -> n\(index) [label=\"\(label(input))\"];") }
    }
    if let level { lines += ["  level [label=\"\(level)\"];", "  n\(steps.count - 1) -> level;"] }
    return (lines + ["}"]).joined(separator: "\n")
  }

  /// The graph for Mermaid.
  var mermaid: String {
    var lines = ["flowchart LR"]
    for (index, step) in steps.enumerated() { lines.append("  n\(index)[\"\(escaped(step.name))\"]") }
    for (index, step) in steps.enumerated() {
      for input in step.inputs { lines.append("  n\(input.step) -->|\"\(label(input))\"| n\(index)") }
    }
    if let level { lines += ["  level[\"\(level)\"]", "  n\(steps.count - 1) --> level"] }
    return lines.joined(separator: "\n")
  }

  /// The graph as one JSON object.
  var json: String {
    var json = JSONWriter()
    json.object { json in
      json.field("schema", 1)
      write(&json)
    }
    return json.text
  }

  /// Writes the fields of the graph into an object.
  func write(_ json: inout JSONWriter) {
    json.field("sample_rate", sampleRate)
    if let target = loudnessTarget {
      if let integrated = target.integrated { json.field("loudness_target_lufs", integrated, decimals: 2) }
      json.field("true_peak_dbtp", target.truePeak, decimals: 2)
    }
    json.array("nodes") { json in
      for (index, step) in steps.enumerated() {
        json.object { json in
          json.field("id", index)
          json.field("name", step.name)
          json.field("kind", step.kind)
          json.field("latency_samples", step.latency)
          json.field("delay_samples", step.delay)
        }
      }
    }
    json.array("edges") { json in
      for (index, step) in steps.enumerated() {
        for input in step.inputs {
          json.object { json in
            json.field("from", input.step)
            json.field("to", index)
            json.field("sample_rate", sampleRate)
            json.field("channels", input.channelCount)
            json.field("delay_samples", input.delay)
            json.field("delay_ms", Double(input.delay) * 1_000 / Double(sampleRate), decimals: 3)
          }
        }
      }
    }
  }

  private var level: String? {
    loudnessTarget.map { target in
      let loudness = target.integrated.map { "\(JSONWriter.digits($0, 1)) LUFS, " } ?? ""
      return "\(loudness)at most \(JSONWriter.digits(target.truePeak, 1)) dBTP"
    }
  }

  private func label(_ input: PlanStep.Input) -> String {
    let channels =
      input.channelCount == 1 ? "mono" : input.channelCount == 2 ? "stereo" : "\(input.channelCount) channels"
    return "\(sampleRate) Hz \(channels), \(Self.milliseconds(input.delay, sampleRate)) ms"
  }

  private static func milliseconds(_ samples: Int, _ sampleRate: Int) -> String {
    JSONWriter.digits(Double(samples) * 1_000 / Double(sampleRate), 2)
  }

  private func escaped(_ text: String) -> String {
    text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
  }
}
