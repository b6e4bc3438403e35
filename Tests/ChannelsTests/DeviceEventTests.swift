import ChannelTestSupport
import Channels
import Devices
import Engine
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DeviceEventTests {
  @Test("the delegate gets the events of devices before, in and after a channel", .shows("D4", "D8"))
  func delivery() throws {
    let rig = try EngineRig()
    try rig.start()
    rig.run(to: 0.2)
    var expected = ["local 1/0", "route 4"]
    #expect(rig.log.calls == expected)
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    rig.run(to: 0.6)
    #expect(rig.log.calls.contains("local 2/0") && rig.log.calls.contains("didJoinChannel lobby 7"))
    expected = rig.log.calls
    rig.devices.unplug("mic")
    rig.run(to: 4)
    expected += ["mic capture 8", "local 3/6"]
    #expect(rig.log.calls == expected)
    rig.engine.leave(LeaveOptions(stopsMicrophone: false))
    rig.run(to: 4.2)
    expected += ["state 1/5", "didLeaveChannel"]
    #expect(rig.log.calls == expected)
    rig.devices.plug(VirtualDevice(id: "mic", direction: .capture))
    rig.run(to: 7)
    expected += ["mic capture 0", "local 1/0"]
    #expect(rig.log.calls == expected)
    rig.finish()
  }

  @Test("a further channel's delegate gets no event of devices", .shows("D4", "D8"))
  func otherChannel() throws {
    let rig = try EngineRig()
    try rig.start()
    let log = DelegateLog()
    _ = try rig.engine.joinEx(channel: "hall", token: "", user: .uid(7), options: .broadcaster, delegate: log)
    rig.run(to: 0.5)
    #expect(rig.log.calls == ["local 1/0", "route 4", "local 2/0"])
    #expect(log.calls.contains("didJoinChannel hall 7") && !log.calls.contains { $0.hasPrefix("local ") })
    rig.finish()
  }
}
