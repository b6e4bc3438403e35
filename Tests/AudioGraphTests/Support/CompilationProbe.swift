import AudioGraph

/// A mono wire that does something the first time that it is compiled.
final class CompilationProbe: AudioNode, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): compiled on the thread of its test alone.
  let inputs = [InputPort(channelCount: 1)]
  let outputs = [OutputPort(channelCount: 1)]
  private var hasActed = false
  private let wire = GainNode(1)
  private let action: () -> Void

  init(_ action: @escaping () -> Void) { self.action = action }

  var renderer: Renderer {
    if !hasActed {
      hasActed = true
      action()
    }
    return wire.renderer
  }
}
