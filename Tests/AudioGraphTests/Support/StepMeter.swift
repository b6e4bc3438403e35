import AudioGraph

/// A sink that keeps the largest step between two neighbouring samples. Thread: read by the one that ticks, or
/// once that one has been joined.
final class StepMeter: AudioNode {
  let inputs = [InputPort(channelCount: 1)]
  let outputs: [OutputPort] = []
  private let state = RenderState(StepState())

  var renderer: Renderer { Renderer(renderSteps, state) }

  /// The last sample.
  var lastSample: Float { state.pointer.pointee.last }
  /// Samples that were not a number or not finite.
  var faultCount: Int { state.pointer.pointee.faults }

  /// The largest step since it was asked for last.
  func takeLargestStep() -> Float {
    defer { state.pointer.pointee.largest = 0 }
    return state.pointer.pointee.largest
  }
}

private struct StepState: ~Copyable {
  var last: Float = 0
  var largest: Float = 0
  var faults = 0
}

private func renderSteps(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let input = RenderContext(context).input(0)
  let samples = input.channel(0)
  let state = state.assumingMemoryBound(to: StepState.self)
  var last = state.pointee.last
  var largest = state.pointee.largest
  for index in 0..<input.samplesPerChannel {
    let step = abs(samples[index] - last)
    if step > largest { largest = step }
    if !samples[index].isFinite { state.pointee.faults += 1 }
    last = samples[index]
  }
  state.pointee.last = last
  state.pointee.largest = largest
}
