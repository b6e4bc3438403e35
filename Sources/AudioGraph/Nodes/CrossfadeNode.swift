/// Carries one input of a surviving node from its old source to its new one; lives in the transition only.
final class CrossfadeNode: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort]
  private let state = RenderState<Void>(())

  init(channelCount: Int) {
    inputs = [
      InputPort("old", channelCounts: channelCount...channelCount, multiplicity: .optional),
      InputPort("new", channelCounts: channelCount...channelCount, multiplicity: .optional),
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
  let count = output.samplesPerChannel
  let step = ramp.step(over: count)
  if ramp.end > 0 { output.header.pointee = new.header.pointee }
  output.header.pointee.isSilent = old.header.pointee.isSilent && new.header.pointee.isSilent
  for channel in 0..<output.channelCount {
    let from = old.channel(channel)
    let to = new.channel(channel)
    let target = output.channel(channel)
    // old + (new - old) * gain is exactly old where the two are equal: an edit that changes nothing about the
    // samples stays inaudible to the last bit.
    for index in 0..<count {
      target[index] = from[index] + (to[index] - from[index]) * (ramp.start + step * Float(index &+ 1))
    }
  }
}
