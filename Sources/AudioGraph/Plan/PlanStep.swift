/// One step of a plan, for people and tools that inspect it.
public struct PlanStep: Sendable {
  /// Origin of the frames of one input.
  public struct Input: Sendable {
    /// Index of the step that the frames come from.
    public let step: Int
    /// Output port of the step that the frames come from.
    public let port: Int
    /// Channels of the frames.
    public let channelCount: Int
    /// Delay from the graph's sources on this edge, in samples per channel.
    public let delay: Int
  }

  /// Name of the node in the graph, or the compiler's name for a delay line that it inserted.
  public let name: String
  /// The type of the node.
  public let kind: String
  /// Lag of this step's outputs behind its inputs, in samples per channel.
  public let latency: Int
  /// Delay from the graph's sources to this step's outputs, in samples per channel.
  public let delay: Int
  /// Input frames; inputs without a connection are left out.
  public let inputs: [Input]
}

extension Plan {
  /// Steps in execution order, without those of a transition.
  public var steps: [PlanStep] {
    let index = Dictionary(uniqueKeysWithValues: flow.order.enumerated().map { ($1.key, $0) })
    return flow.order.map { node in
      PlanStep(
        name: node.name, kind: String(describing: type(of: node.node)), latency: node.latency,
        delay: flow.delays[node.key] ?? 0,
        inputs: node.inputs.compactMap(\.source).map { source in
          let from = flow.order[index[source.key]!]
          return PlanStep.Input(
            step: index[source.key]!, port: source.port, channelCount: from.node.outputs[source.port].channelCount,
            delay: flow.delays[source.key] ?? 0)
        })
    }
  }
}
