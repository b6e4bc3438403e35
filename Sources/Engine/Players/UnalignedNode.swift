import AudioGraph

/// A node whose delay is taken care of by who added it: nothing else in the graph is delayed to match it.
final class UnalignedNode: AudioNode {
  private let node: any AudioNode

  init(_ node: any AudioNode) { self.node = node }

  var inputs: [InputPort] { node.inputs }
  var outputs: [OutputPort] { node.outputs }
  var rendersInPlace: Bool { node.rendersInPlace }
  var keepsSilence: Bool { node.keepsSilence }
  var renderer: Renderer { node.renderer }
}
