import AudioGraph

/// Takes frames out of the graph, to a device's clock.
final class PlayoutNode: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort] = []
  private let state: RenderState<PlayoutState>
  /// Memory of the frame that the state refers to.
  private let memory: FrameMemory
  /// Figures that the state has a pointer to.
  private let figures: RenderState<StreamProgress>

  init(
    _ state: consuming PlayoutState, memory: FrameMemory, channelCount: Int, figures: RenderState<StreamProgress>
  ) {
    self.figures = figures
    inputs = [InputPort(channelCount: channelCount)]
    self.state = RenderState(state)
    self.memory = memory
  }

  var renderer: Renderer { Renderer(renderPlayout, state) }

  /// Notifies the device thread that no sample will follow. Thread: control, after the last tick.
  func finish() { state.pointer.pointee.finish() }
}

@_noLocks
private func renderPlayout(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: PlayoutState.self).pointee.render(RenderContext(context))
}
