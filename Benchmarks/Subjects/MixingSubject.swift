import AudioGraph
import BenchmarkTwins

/// A hundred mono sources into one stereo frame, beside a register-tiled loop in C.
enum MixingSubject {
  private static let sourceCount = 100
  private static let count = 480

  static func run(_ bench: Bench) throws {
    let memory = FrameMemory(count: sourceCount, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
    let outputs = FrameMemory(count: 2, format: try AudioFormat(sampleRate: 48_000, channelCount: 2))
    var signal = Signal(seed: 2)
    for index in 0..<sourceCount {
      for sample in 0..<count { memory[index].channel(0)[sample] = signal.noise() * 0.1 }
    }
    for isRamped in [false, true] {
      let inputs = UnsafeMutablePointer<MixInput>.allocate(capacity: sourceCount)
      let twins = UnsafeMutablePointer<twin_source>.allocate(capacity: sourceCount)
      defer {
        inputs.deallocate()
        twins.deallocate()
      }
      for index in 0..<sourceCount {
        let samples = UnsafePointer(memory[index].channel(0))
        let end = (Float(index) / 100, 1 - Float(index) / 100)
        let start = isRamped ? (end.0 + 0.1, end.1 - 0.1) : end
        (inputs + index).initialize(
          to: MixInput(
            left: samples, right: samples, leftGain: Ramp(from: start.0, to: end.0),
            rightGain: Ramp(from: start.1, to: end.1)))
        (twins + index).initialize(
          to: twin_source(
            samples: samples, left_start: start.0, left_end: end.0, right_start: start.1, right_end: end.1))
      }
      let ours = outputs[0]
      let theirs = outputs[1]
      mix(inputs, ours)
      mixTwin(twins, theirs, isRamped: isRamped)
      try bench.check(
        (0..<count).allSatisfy { abs(ours.channel(1)[$0] - theirs.channel(1)[$0]) < 1e-4 }, "the mix differs from C's")
      bench.compare(
        "100 mono into stereo, \(isRamped ? "ramps" : "constant gains")", to: "tiled C loop", turns: 600,
        iterations: 4, isPerFrame: true, target: isRamped ? 2 : 1.5,
        ours: { for _ in 0..<$0 { mix(inputs, ours) } },
        twin: { for _ in 0..<$0 { mixTwin(twins, theirs, isRamped: isRamped) } })
    }
  }

  private static func mix(_ inputs: UnsafePointer<MixInput>, _ output: Frame) {
    var first = 0
    while first < sourceCount {
      let group = min(MixKernel.maximumInputCount, sourceCount - first)
      MixKernel.mix(
        inputs + first, inputCount: group, left: output.channel(0), right: output.channel(1), count: count,
        adding: first > 0)
      first += group
    }
  }

  private static func mixTwin(_ sources: UnsafePointer<twin_source>, _ output: Frame, isRamped: Bool) {
    if isRamped {
      twin_mix_ramped(sources, sourceCount, output.channel(0), output.channel(1), count)
    } else {
      twin_mix(sources, sourceCount, output.channel(0), output.channel(1), count)
    }
  }
}
