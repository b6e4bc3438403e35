import AudioGraph
import Resampling

/// Brings a device's samples into the graph, by the tick's clock.
final class CaptureNode: AudioNode {
  let inputs: [InputPort] = []
  let outputs: [OutputPort]
  private let state: RenderState<CaptureState>

  init(_ state: consuming CaptureState, channelCount: Int) {
    outputs = [OutputPort(channelCount: channelCount)]
    self.state = RenderState(state)
  }

  var renderer: Renderer { Renderer(renderCapture, state) }
}

@_noLocks
private func renderCapture(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: CaptureState.self).pointee.render(RenderContext(context))
}
