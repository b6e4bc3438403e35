import LockFree

/// Carries one input of a surviving node from its old source to its new one; lives in the transition only.
///
/// Shape: mono goes to every channel; a channel that one of the two sources lacks is silent there.
final class CrossfadeNode: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort]
  private let state = RenderState<Void>(())

  init(channelCount: Int) {
    inputs = [
      InputPort("old", channelCounts: 1...channelCount, multiplicity: .optional),
      InputPort("new", channelCounts: 1...channelCount, multiplicity: .optional),
    ]
    outputs = [OutputPort(channelCount: channelCount)]
  }

  var rendersInPlace: Bool { false }
  var renderer: Renderer { Renderer(renderCrossfade, state) }
}

@_noLocks
private func renderCrossfade(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  let ramp = context.fade(ofInput: 1)
  let old = context.input(0)
  let new = context.input(1)
  let output = context.output(0)
  if ramp.end > 0 { output.header.pointee = new.header.pointee }
  output.header.pointee.isSilent = old.header.pointee.isSilent && (ramp.end == 0 || new.header.pointee.isSilent)
  for channel in 0..<output.channelCount {
    if hasChannel(channel, old), hasChannel(channel, new) {
      crossfade(plane(channel, old), plane(channel, new), output, channel, ramp)
    } else if hasChannel(channel, old) {
      scale(plane(channel, old), output, channel, Ramp(from: 1 - ramp.start, to: 1 - ramp.end))
    } else {
      scale(plane(channel, new), output, channel, ramp)
    }
  }
}

@_noLocks
private func hasChannel(_ channel: Int, _ frame: Frame) -> Bool {
  frame.channelCount == 1 || channel < frame.channelCount
}

@_noLocks
private func plane(_ channel: Int, _ frame: Frame) -> UnsafeMutablePointer<Float> {
  frame.channel(frame.channelCount == 1 ? 0 : channel)
}

@_noLocks
private func crossfade(
  _ old: UnsafeMutablePointer<Float>, _ new: UnsafeMutablePointer<Float>, _ output: Frame, _ channel: Int, _ ramp: Ramp
) {
  let target = output.channel(channel)
  let count = output.samplesPerChannel
  // While the new path fills its delays, the old one is heard as it is, whatever the new one holds.
  if ramp.end == 0 { return copySamples(from: old, to: target, count: count) }
  let step = ramp.step(over: count)
  for index in 0..<count {
    // If the two are equal, the edit changes nothing, to the last bit: old + (new - old) * gain would turn a negative
    // zero into a positive one.
    let faded = old[index] + (new[index] - old[index]) * (ramp.start + step * Float(index &+ 1))
    target[index] = old[index] == new[index] ? old[index] : faded
  }
}

@_noLocks
private func scale(_ source: UnsafeMutablePointer<Float>, _ output: Frame, _ channel: Int, _ ramp: Ramp) {
  let target = output.channel(channel)
  let step = ramp.step(over: output.samplesPerChannel)
  for index in 0..<output.samplesPerChannel {
    target[index] = source[index] * (ramp.start + step * Float(index &+ 1))
  }
}
