// SPDX-License-Identifier: MIT

extension LoopbackAPI {
    func user(_ name: String) -> ScriptedResponse {
        guard name != "nobody" else { return Self.unknownUser }
        return .json([
            "login": .string(name), "id": .int(Self.number(for: name)), "type": "User", "name": .string(name.capitalized),
            "public_repos": .int(Self.repositories.count),
        ])
    }

    func repositories(of name: String) -> ScriptedResponse {
        guard name != "nobody" else { return Self.unknownUser }
        let first = Self.number(for: name) * 10
        return .json(
            .array(
                Self.repositories.enumerated().map { index, repository in
                    [
                        "id": .int(first + index), "name": .string(repository.name), "full_name": .string("\(name)/\(repository.name)"),
                        "owner": ["login": .string(name), "id": .int(Self.number(for: name))], "private": false,
                        "description": .string(repository.description), "language": .string(repository.language),
                        "stargazers_count": .int(repository.stars), "fork": false,
                    ]
                }))
    }

    private static let unknownUser = ScriptedResponse.json(["message": "Not Found"], status: 404)

    private static let repositories: [(name: String, description: String, language: String, stars: Int)] = [
        ("lighthouse", "Finds its way in the dark", "Swift", 128), ("harbour", "Where packages come ashore", "Swift", 64),
        ("tide-table", "When to leave and when to wait", "C", 32),
    ]

    /// The same number for the same name, each time.
    private static func number(for name: String) -> Int {
        name.utf8.reduce(7) { ($0 * 31 + Int($1)) % 100_003 }
    }
}
