import AudioGraph

/// Keeps everything that reaches it. Thread: read by the one that ticks.
final class RecordingSink: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort] = []
  private let state: RenderState<Recording>

  init(channelCount: Int = 1) {
    inputs = [InputPort(channelCount: channelCount)]
    state = RenderState(Recording(channelCount: channelCount))
  }

  var renderer: Renderer { Renderer(renderRecording, state) }

  /// Samples so far, by channel.
  var channels: [[Float]] { state.pointer.pointee.channels }
  /// Samples of the first channel.
  var samples: [Float] { state.pointer.pointee.channels[0] }
  /// Headers so far.
  var headers: [FrameHeader] { state.pointer.pointee.headers }
}

private struct Recording: ~Copyable {
  var channels: [[Float]]
  var headers: [FrameHeader] = []

  init(channelCount: Int) { channels = Array(repeating: [], count: channelCount) }
}

private func renderRecording(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let input = RenderContext(context).input(0)
  let recording = state.assumingMemoryBound(to: Recording.self)
  for channel in 0..<input.channelCount {
    recording.pointee.channels[channel] +=
      UnsafeBufferPointer(start: input.channel(channel), count: input.samplesPerChannel)
  }
  recording.pointee.headers.append(input.header.pointee)
}
