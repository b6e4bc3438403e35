import AudioGraph
import Devices
import GraphTestSupport
import MediaStreams
import OpusCodec
import TestSupport
import Testing

@testable import Engine

@Suite(.timeLimit(.minutes(10))) struct LocalAudioStateTests {
  @Test("an open microphone records, and encodes with its first packet", .shows("D4"))
  func encoding() throws {
    let rig = try DeviceRig(microphones: ["mic"])
    try rig.pipeline.setLocalSource(.device("mic", of: rig.devices))
    let sender = try PacketSender(SenderOptions(codec: .null(.milliseconds20)))
    try rig.start()
    rig.run(ticks: 10)
    #expect(rig.lines == ["local 1/0"])
    try rig.pipeline.startSending(through: sender)
    rig.run(ticks: 50)
    #expect(rig.lines == ["local 1/0", "local 2/0"])
    let ticks = rig.all.compactMap { event -> Int? in
      if case .localAudioState = event.kind { event.tickCount } else { nil }
    }
    #expect(ticks == [0, 12])
    rig.pipeline.finishStepping()
    #expect(rig.lines == ["local 1/0", "local 2/0", "local 0/0"])
  }

  @Test("an unplugged microphone is replaced until it is plugged in again", .shows("D4", "D8"))
  func fallback() throws {
    let rig = try DeviceRig(microphones: ["built-in", "usb"])
    try rig.pipeline.setLocalSource(.device("usb", of: rig.devices))
    try rig.start()
    rig.run(ticks: 20)
    rig.devices.unplug("usb")
    rig.run(ticks: 20)
    let gone = ["local 1/0", "usb capture 8", "local 1/0"]
    #expect(rig.lines == gone)
    rig.devices.plug(VirtualDevice(id: "usb", direction: .capture))
    rig.run(ticks: 200)
    #expect(rig.lines == gone + ["usb capture 0", "local 1/0"])
    rig.pipeline.finishStepping()
  }

  @Test(
    "without a fallback, an unplugged microphone fails until it returns", .shows("D4", "D8"),
    arguments: [false, true])
  func noFallback(hasOther: Bool) throws {
    let rig = try DeviceRig(microphones: hasOther ? ["other", "mic"] : ["mic"])
    try rig.pipeline.setLocalSource(.device("mic", of: rig.devices, options: DeviceOptions(fallsBack: !hasOther)))
    try rig.start()
    rig.run(ticks: 20)
    rig.devices.unplug("mic")
    rig.run(ticks: 300)
    #expect(rig.lines == ["local 1/0", "mic capture 8", "local 3/6"])
    rig.devices.plug(VirtualDevice(id: "mic", direction: .capture))
    rig.run(ticks: 200)
    #expect(rig.lines == ["local 1/0", "mic capture 8", "local 3/6", "mic capture 0", "local 1/0"])
    rig.pipeline.finishStepping()
  }

  @Test("a microphone that cannot be opened is an error and an event", .shows("D4"))
  func refused() throws {
    let rig = try DeviceRig(microphones: ["mic"])
    let other = try AudioPipeline(mode: .offline)
    try other.setLocalSource(.device("mic", of: rig.devices))
    let busy = try #require(throws: EngineError.self) {
      try rig.pipeline.setLocalSource(.device("mic", of: rig.devices))
    }
    #expect((busy.cause as? DeviceError)?.reason == .busy)
    #expect(throws: EngineError.self) { try rig.pipeline.setLocalSource(.device("none", of: rig.devices)) }
    #expect(throws: EngineError.self) { try rig.pipeline.addSink(.device("none", of: rig.devices), at: .playout) }
    try other.local.remove()
    try rig.pipeline.setLocalSource(.device("mic", of: rig.devices))
    try rig.start()
    rig.run(ticks: 20)
    #expect(rig.lines == ["local 3/3", "local 3/6", "local 3/7", "local 1/0"])
    rig.pipeline.finishStepping()
  }

  @Test("a source that is removed, or not captured, is stopped", .shows("D4"))
  func stopped() throws {
    let rig = try DeviceRig(microphones: ["mic"])
    try rig.pipeline.setLocalSource(.device("mic", of: rig.devices))
    try rig.start()
    rig.run(ticks: 5)
    try rig.pipeline.enableLocalAudio(false)
    rig.run(ticks: 5)
    try rig.pipeline.enableLocalAudio(true)
    rig.run(ticks: 5)
    try rig.pipeline.muteLocalAudioStream(true)
    rig.run(ticks: 5)
    #expect(rig.lines == ["local 1/0", "local 0/0", "local 1/0"])
    try rig.pipeline.local.remove()
    rig.run(ticks: 5)
    #expect(rig.lines == ["local 1/0", "local 0/0", "local 1/0", "local 0/0"])
    rig.pipeline.finishStepping()
    #expect(rig.lines.count == 4)
  }

  @Test("a replaced microphone records again", .shows("D4"))
  func replaced() throws {
    let rig = try DeviceRig(microphones: ["one", "two"])
    try rig.pipeline.setLocalSource(.device("one", of: rig.devices))
    try rig.start()
    rig.run(ticks: 5)
    try rig.pipeline.local.replaceSource(with: .device("two", of: rig.devices))
    rig.run(ticks: 5)
    #expect(rig.lines == ["local 1/0", "local 1/0"])
    rig.pipeline.finishStepping()
  }

  @Test("a loudspeaker that is gone has failed until it returns", .shows("D4", "D8"), arguments: [false, true])
  func playout(hasMicrophone: Bool) throws {
    let rig = try DeviceRig(microphones: ["mic"], loudspeakers: ["speaker"])
    // The closed loudspeaker looks for its device between two periods of the microphone.
    let options = DeviceOptions(period: .milliseconds(20))
    if hasMicrophone { try rig.pipeline.setLocalSource(.device("mic", of: rig.devices, options: options)) }
    try rig.pipeline.addSink(.device("speaker", of: rig.devices), at: .playout)
    try rig.start()
    rig.run(ticks: 20)
    let begun = (hasMicrophone ? ["local 1/0"] : []) + ["route 4"]
    #expect(rig.lines == begun)
    rig.devices.unplug("speaker")
    rig.run(ticks: 300)
    let gone = begun + ["speaker playout 8", "local 3/7", "route -1"]
    #expect(rig.lines == gone)
    rig.devices.plug(VirtualDevice(id: "speaker", direction: .playout))
    rig.run(ticks: 200)
    #expect(rig.lines == gone + ["speaker playout 0", hasMicrophone ? "local 1/0" : "local 0/0", "route 4"])
    rig.pipeline.finishStepping()
  }

  @Test(
    "a device that the system has suspended is interrupted until it resumes", .shows("D4"),
    arguments: [AudioDirection.capture, .playout])
  func interrupted(direction: AudioDirection) throws {
    let rig = try DeviceRig(microphones: ["mic"], loudspeakers: ["speaker"])
    try rig.pipeline.setLocalSource(.device("mic", of: rig.devices))
    try rig.pipeline.addSink(.device("speaker", of: rig.devices), at: .playout)
    try rig.start()
    rig.run(ticks: 20)
    rig.devices.suspend(direction == .capture ? "mic" : "speaker", for: .seconds(1))
    rig.run(ticks: 50)
    #expect(rig.lines == ["local 1/0", "route 4", "local 3/8"])
    rig.run(ticks: 150)
    #expect(rig.lines == ["local 1/0", "route 4", "local 3/8", "local 1/0"])
    rig.pipeline.finishStepping()
  }

  @Test("packets that cannot be encoded are a failure until one can", .shows("D4"))
  func encodingFailure() throws {
    let rig = try DeviceRig(microphones: ["mic"])
    try rig.pipeline.setLocalSource(.device("mic", of: rig.devices))
    try rig.start()
    rig.run(ticks: 10)
    let devices = rig.pipeline.devices
    for (packets, failures) in [(1, 0), (1, 1), (1, 2), (2, 2)] {
      devices.noteEncoded(packets, failures: failures)
      devices.collect()
    }
    rig.run(ticks: 1)
    #expect(rig.lines == ["local 1/0", "local 2/0", "local 3/5", "local 2/0"])
    rig.pipeline.finishStepping()
  }

  @Test("a refused thread has its own failure reason", .shows("D4"))
  func noThread() throws {
    let rig = try DeviceRig(microphones: ["mic"])
    rig.pipeline.devices.reportRefusal(ThreadError(name: "capture", number: 11), of: .capture)
    try rig.start()
    rig.run(ticks: 1)
    #expect(rig.lines == ["local 3/1"])
    rig.pipeline.finishStepping()
  }

  @Test("devices that nobody uses are reported too when they come and go", .shows("D8"))
  func unused() throws {
    let rig = try DeviceRig(microphones: ["mic", "spare"])
    try rig.pipeline.setLocalSource(.device("mic", of: rig.devices))
    try rig.start()
    rig.run(ticks: 5)
    rig.devices.plug(VirtualDevice(id: "headset", direction: .playout))
    rig.run(ticks: 5)
    rig.devices.unplug("spare")
    rig.run(ticks: 5)
    rig.devices.unplug("headset")
    rig.run(ticks: 5)
    #expect(rig.lines == ["local 1/0", "headset playout 0", "spare capture 8", "headset playout 8"])
    rig.pipeline.finishStepping()
  }

  @Test("the route follows the devices as they come and go", .shows("D8"))
  func follows() throws {
    let rig = try DeviceRig(microphones: ["mic"], loudspeakers: ["speaker", "headphones"])
    try rig.pipeline.setLocalSource(.device("mic", of: rig.devices))
    try rig.pipeline.addSink(.device("headphones", of: rig.devices), at: .playout)
    try rig.start()
    rig.run(ticks: 20)
    rig.devices.unplug("headphones")
    rig.run(ticks: 20)
    rig.devices.plug(VirtualDevice(id: "headphones", direction: .playout))
    rig.run(ticks: 200)
    rig.pipeline.finishStepping()
    #expect(
      rig.lines == [
        "local 1/0", "route 2", "headphones playout 8", "route 4", "headphones playout 0", "route 2", "local 0/0",
        "route -1",
      ])
  }

  @Test("a pipeline without devices reports no state of them", .shows("D4"))
  func none() throws {
    let rig = try DeviceRig()
    try rig.pipeline.setLocalSource(PlaneSource([[Float](repeating: 0, count: 48_000)], uid: 0))
    try rig.start()
    rig.run(ticks: 5)
    try rig.pipeline.local.remove()
    rig.pipeline.finishStepping()
    #expect(rig.lines == [])
  }

  @Test(
    "each fault of a microphone has its number", .shows("D4"),
    arguments: [
      (DeviceError.Reason.notFound, 6), (.unplugged, 6), (.noPermission, 2), (.busy, 3), (.unsupportedFormat, 4),
      (.failed, 4),
    ])
  func numbers(reason: DeviceError.Reason, number: Int) {
    #expect(LocalAudioError(DeviceError(reason, ""), of: .capture).rawValue == number)
    #expect(LocalAudioError(DeviceError(reason, ""), of: .playout).rawValue == 7)
  }
}
