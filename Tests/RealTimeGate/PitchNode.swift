import AudioGraph
import PitchDetection

/// Detects and tracks the pitch of what passes, and passes it on: what a program's own node would do.
final class PitchNode: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort]
  private let state: RenderState<PitchNodeState>

  init(channelCount: Int, sampleRate: Int) throws {
    inputs = [InputPort(channelCount: channelCount)]
    outputs = [OutputPort(channelCount: channelCount)]
    state = RenderState(
      PitchNodeState(
        detector: try PitchDetector(sampleRate: sampleRate), tracker: try PitchTracker(sampleRate: sampleRate)))
  }

  var renderer: Renderer { Renderer(renderPitch, state) }
}

private struct PitchNodeState: ~Copyable {
  var detector: PitchDetector
  var tracker: PitchTracker

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let input = context.input(0)
    _ = detector.process(input)
    _ = tracker.process(input)
    context.output(0).copy(from: input)
  }
}

@_noLocks
private func renderPitch(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: PitchNodeState.self).pointee.render(RenderContext(context))
}
