/// What a plan does in one step, for people and tools that look at it.
public struct PlanStep: Sendable {
  /// Where the frames of one input come from.
  public struct Input: Sendable {
    /// Index of the step that they come from.
    public let step: Int
    /// The output port there.
    public let port: Int
    /// Channels of the frames.
    public let channelCount: Int
    /// Delay from the graph's sources on this edge, in samples per channel.
    public let delay: Int
  }

  /// The node's name in the graph, or what the compiler calls a delay line that it put in.
  public let name: String
  /// The type of the node.
  public let kind: String
  /// Samples per channel by which this step's outputs lag behind its inputs.
  public let latency: Int
  /// Delay from the graph's sources to this step's outputs, in samples per channel.
  public let delay: Int
  /// The frames that come in; inputs that nothing is connected to are left out.
  public let inputs: [Input]
}

extension Plan {
  /// The steps in the order in which they run, without those of a transition.
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
