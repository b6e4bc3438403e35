import AudioGraph
import Devices
import Engine
import MediaStreams
import OpusCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DeviceDelayTests {
  @Test("local statistics have the delays of devices that are open", .shows("D11"))
  func delays() throws {
    let rig = try DeviceRig(microphones: ["mic"], loudspeakers: ["speaker"])
    let microphone = try rig.pipeline.setLocalSource(.device("mic", of: rig.devices))
    let loudspeaker = try rig.pipeline.addSink(.device("speaker", of: rig.devices), at: .playout)
    try rig.pipeline.startSending(through: PacketSender(SenderOptions(codec: .null(.milliseconds20))))
    try rig.start()
    rig.run(ticks: 200)
    let first = try #require(rig.statistics.first)
    #expect(first.audioDeviceDelayMilliseconds == Double(microphone.report.delayNanoseconds) / 1e6)
    #expect(first.audioPlayoutDelayMilliseconds == Double(loudspeaker.report.delayNanoseconds) / 1e6)
    #expect((5...100).contains(try #require(first.audioDeviceDelayMilliseconds)))
    #expect((5...100).contains(try #require(first.audioPlayoutDelayMilliseconds)))
    rig.devices.unplug("mic")
    rig.devices.unplug("speaker")
    rig.run(ticks: 200)
    let second = try #require(rig.statistics.last)
    #expect(rig.statistics.count == 2)
    #expect(second.audioDeviceDelayMilliseconds == nil && second.audioPlayoutDelayMilliseconds == nil)
    rig.pipeline.finishStepping()
  }
}
