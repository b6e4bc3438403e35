import MQTTSignalling
import Platform
import TestSupport
import Testing

@Suite("Options of calls over MQTT", .timeLimit(.minutes(10))) struct OptionsTests {
  private func fault(_ make: () throws(EngineError) -> MQTTSignalOptions) -> String? {
    do throws(EngineError) {
      _ = try make()
      return nil
    } catch {
      #expect(error.code == .invalidArgument)
      return error.message
    }
  }

  @Test(
    "a URL has a scheme, a host and a port", .shows("K9"),
    arguments: [
      ("mqtt://host", "mqtt://host:1883"), ("mqtts://host", "mqtts://host:8883"),
      ("MQTT://h.example:9", "mqtt://h.example:9"),
      ("mqtts://[::1]:8883/", "mqtts://[::1]:8883"), ("mqtt://192.0.2.1:65535", "mqtt://192.0.2.1:65535"),
    ])
  func urls(text: String, shown: String) throws {
    #expect(try MQTTSignalOptions(broker: text, appID: "demo", userID: 7).brokerURL == shown)
  }

  @Test(
    "another URL is refused with one sentence", .shows("K9"),
    arguments: [
      "", "host", "http://host", "mqtt://", "mqtt://:1883", "mqtt://host:0", "mqtt://host:65536", "mqtt://host:",
      "mqtt://host:+1", "mqtt://host/path", "mqtt://a b", "mqtt://host?x=1", "mqtt://höst", "mqtt://host\n",
      "mqtt://[::1",
    ])
  func otherURLs(text: String) {
    let fault = fault { () throws(EngineError) in try MQTTSignalOptions(broker: text, appID: "demo", userID: 7) }
    #expect(fault?.contains("use mqtt://HOST:PORT or mqtts://HOST:PORT") == true)
    #expect(fault?.contains("\n") == false)
  }

  @Test("a password is in no sentence and no description", .shows("K9"))
  func secrets() throws {
    let fault = fault { () throws(EngineError) in
      try MQTTSignalOptions(broker: "mqtt://me:hidden@host", appID: "demo", userID: 7)
    }
    #expect(fault?.contains("hidden") == false)
    let options = try MQTTSignalOptions(broker: "mqtt://host", appID: "demo", userID: 7, password: "hidden")
    var dumped = ""
    dump(options, to: &dumped)
    for text in [dumped, "\(options)", String(reflecting: options)] { #expect(!text.contains("hidden")) }
  }

  @Test(
    "an app ID is one of the relay's without wildcards", .shows("K9"), arguments: ["", "a/b", "a+b", "a#b", "é"])
  func apps(appID: String) {
    #expect(
      fault { () throws(EngineError) in
        try MQTTSignalOptions(broker: "mqtt://host", appID: appID, userID: 7)
      } != nil)
  }

  @Test("uid 0, a short keep-alive and NUL are refused", .shows("K9"))
  func others() throws {
    let faults = [
      fault { () throws(EngineError) in try MQTTSignalOptions(broker: "mqtt://host", appID: "demo", userID: 0) },
      fault { () throws(EngineError) in
        try MQTTSignalOptions(broker: "mqtt://host", appID: "demo", userID: 7, keepAlive: .seconds(4))
      },
      fault { () throws(EngineError) in
        try MQTTSignalOptions(broker: "mqtt://host", appID: "demo", userID: 7, password: "a\0b")
      },
    ]
    #expect(faults.allSatisfy { $0 != nil })
    let options = try MQTTSignalOptions(broker: "mqtt://host", appID: "demo", userID: 4_294_967_295)
    #expect(options.userName == "4294967295")
    #expect(options.keepAlive == .seconds(15))
  }

  @Test("a start without a readable file of roots throws its path", .shows("K9"))
  func roots() throws {
    let options = try MQTTSignalOptions(
      broker: "mqtts://host", appID: "demo", userID: 7, verification: .roots(file: "/nowhere/roots.pem"))
    #expect(throws: EngineError.self) { try MQTTSignalClient(options).start() }
  }
}
