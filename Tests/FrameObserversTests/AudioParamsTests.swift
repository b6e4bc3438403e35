import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AudioParamsTests {
  @Test(
    "every legal rate and channel count takes 10 ms to 10 s", arguments: AudioParams.sampleRates)
  func legal(rate: Int) throws {
    for channels in [1, 2] {
      for samples in [rate * channels / 100, rate * channels / 100 + channels, rate * channels * 10] {
        let params = try AudioParams(sampleRate: rate, channelCount: channels, samplesPerCall: samples)
        #expect(params.samplesPerChannel == samples / channels)
        #expect(params.access == .readOnly)
      }
    }
  }

  @Test(
    "an impossible value is refused with the possible ones", .shows("F11"),
    arguments: [
      (44_000, 1, 1_024, "observers cannot have 44000 Hz; use 8000, 16000, 24000, 32000, 44100 or 48000 Hz"),
      (0, 1, 1_024, "observers cannot have 0 Hz; use 8000, 16000, 24000, 32000, 44100 or 48000 Hz"),
      (48_000, 3, 1_024, "observers cannot have 3 channels; use 1 or 2"),
      (48_000, 0, 1_024, "observers cannot have 0 channels; use 1 or 2"),
      (
        48_000, 2, 961,
        "961 samples per call do not divide into 2 channels; samplesPerCall counts the samples of all channels"
      ),
      (48_000, 2, 958, "958 samples per call are less than 10 ms; use at least 960"),
      (44_100, 1, 440, "440 samples per call are less than 10 ms; use at least 441"),
      (8_000, 1, 0, "0 samples per call are less than 10 ms; use at least 80"),
      (8_000, 1, -80, "-80 samples per call are less than 10 ms; use at least 80"),
      (8_000, 1, 80_001, "80001 samples per call are more than 10 s; use at most 80000"),
    ])
  func refused(rate: Int, channels: Int, samples: Int, sentence: String) {
    let error = #expect(throws: AudioParamsError.self) {
      try AudioParams(sampleRate: rate, channelCount: channels, samplesPerCall: samples)
    }
    #expect(error?.description == sentence)
  }

  @Test("counts at the edge of the integers are refused, not trapped on", arguments: [Int.max - 1, Int.min])
  func extreme(samples: Int) {
    #expect(throws: AudioParamsError.self) {
      try AudioParams(sampleRate: 48_000, channelCount: 2, samplesPerCall: samples)
    }
  }

  @Test("an asynchronous observer needs capacity and cannot request writing")
  func asynchronousErrors() throws {
    let rig = try ObserverRig(sampleRate: 48_000, playing: [[0]])
    let writing = try AudioParams(sampleRate: 16_000, channelCount: 1, access: .readWrite, samplesPerCall: 160)
    #expect(throws: ObserverError.asynchronousWriter(.record)) {
      try rig.hub.add(FrameLog().request(params: [.record: writing], isAsynchronous: true))
    }
    #expect(throws: ObserverError.capacity(0)) {
      try rig.hub.add(FrameLog().request(isAsynchronous: true, capacity: 0))
    }
    #expect(
      ObserverError.asynchronousWriter(.record).description
        == "an asynchronous observer gets copies and cannot change frames; register it as synchronous or read-only")
    #expect(
      ObserverError.capacity(0).description
        == "an asynchronous observer cannot hold 0 frames; give it a capacity of 1 to 60000")
  }
}
