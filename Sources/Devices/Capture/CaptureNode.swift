import AudioGraph
import Resampling

/// Brings a device's samples into the graph, by the tick's clock.
final class CaptureNode: AudioNode {
  let inputs: [InputPort] = []
  let outputs: [OutputPort]
  private let state: RenderState<CaptureState>
  /// Figures that the state has a pointer to.
  private let figures: RenderState<StreamProgress>

  init(_ state: consuming CaptureState, channelCount: Int, figures: RenderState<StreamProgress>) {
    self.figures = figures
    outputs = [OutputPort(channelCount: channelCount)]
    self.state = RenderState(state)
  }

  var renderer: Renderer { Renderer(renderCapture, state) }
}

@_noLocks
private func renderCapture(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: CaptureState.self).pointee.render(RenderContext(context))
}
