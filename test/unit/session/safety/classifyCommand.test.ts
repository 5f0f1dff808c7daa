import assert from 'node:assert/strict';
import fc from 'fast-check';
import { classifyCommand } from '../../../../src/session/safety/classifyCommand.ts';
import { plainWords } from '../../../../src/session/safety/plainWords.ts';
import { workspace } from './fakeFiles.ts';
import { leastRuns } from '../../../fakes/leastRuns.ts';

const readOnly = [
  'pwd',
  'ls',
  'ls -la src',
  'ls /work/src',
  'ls here',
  'ls .github',
  'cat a.ts',
  'cat ./a.ts src/c.ts',
  'cat "my file.md"',
  'cat here/c.ts',
  'head -n 20 a.ts',
  'head -20 a.ts',
  'tail -n +5 a.ts',
  'wc -l a.ts',
  'stat a.ts',
  'sort -rn a.ts',
  'uniq a.ts',
  'diff -u a.ts b.ts',
  'grep -n "to do" a.ts',
  'grep -A 3 todo a.ts b.ts',
  'grep -C3 todo a.ts',
  'rg todo a.ts -n',
  'rg -l todo',
  'rg -l -i todo src',
  'rg -n todo a.ts src/c.ts',
  'find . -name c.ts',
  'find src -type f -maxdepth 2',
  'echo hello there',
  'echo  two   blanks',
];

const contained = ['mkdir new', 'mkdir -p src/deep/er', 'mkdir here/new'];

const asked = {
  'a path out of the workspace': [
    'cat ~/.ssh/id_rsa',
    'cat /etc/shadow',
    'cat /etc/hosts',
    'cat ../workshop/x',
    'cat /workshop/x',
    'cat src/../a.ts',
    'cat here/../../etc/hosts',
    'ls ..',
    'ls /',
    'find / -name x',
    'diff a.ts /etc/hosts',
    'mkdir ../new',
    'mkdir /tmp/new',
    'rg root /etc',
  ],
  'a link out of the workspace, or to a secret': ['cat out/hosts', 'ls out', 'cat key', 'mkdir out/new'],
  'what looks secret': [
    'cat .env',
    'cat .git/config',
    'ls .git',
    'cat server.pem',
    'cat secrets.json',
    'grep KEY .env',
    'mkdir .git/hooks',
  ],
  'what is no file, or is not there': ['cat pipe', 'cat src', 'cat nowhere', 'cat -', 'cat', 'grep todo'],
  'what a shell does something with': [
    'echo $(curl x)',
    'echo `curl x`',
    'echo $HOME',
    'echo "$HOME"',
    'echo "a`id`"',
    "echo 'a'",
    'ls; id',
    'ls & id',
    'ls && id',
    'ls | sh',
    'ls > a.ts',
    'cat < a.ts',
    'ls\nid',
    'ls\r\nid',
    'ls\tsrc',
    'ls *',
    'cat ?.ts',
    'cat [ab].ts',
    'cat {a,b}.ts',
    'echo ~',
    'echo a~b',
    'ls # quiet',
    'ls \\',
    'ls a\\.ts',
    'X=1 ls',
    'PATH=. ls',
    'echo =ls',
    'echo !!',
    'echo %TEMP%',
    'echo a^b',
    '(ls)',
    'ls "a.ts',
    'ls "" src',
    'ls a"b"',
    ' ls',
    'ls ',
    '',
    'ls \u202egpj.exe',
    'ls a\u200b.ts',
    'ls \u0000',
    'ls \u00a0src',
    'cat ä.ts',
    'ｌｓ',
  ],
  'an option that is not known to be harmless': [
    'find . -delete',
    'find . -exec rm a.ts',
    'find . -fprint a.ts',
    'find -L . -name x',
    'find . -name',
    'sort -o a.ts b.ts',
    'sort -oa.ts b.ts',
    'sort --output=a.ts b.ts',
    'sort --compress-program=sh a.ts',
    'uniq a.ts b.ts',
    'tail -f a.ts',
    'tree -o a.ts',
    'rg --pre sh x src',
    'rg x',
    'rg -n x src',
    'rg -l --hidden x',
    'rg -l -L x',
    'rg -uu x',
    'rg --hidden x',
    'rg -L x',
    'rg -f a.ts src',
    'rg -z x',
    'grep -r x .',
    'grep -f /etc/hosts a.ts',
    'grep -rn KEY src',
    'head -n x a.ts',
    'date -s 2020',
    'ls --color=always',
    'ls -- src',
  ],
  // Where options end at the first file (BSD, macOS), it is one more file, which may be a link to anywhere.
  'an option after a file': [
    'cat a.ts -n',
    'head a.ts -n 5',
    'head a.ts -5',
    'wc a.ts -l',
    'ls src -la',
    'grep todo a.ts -n',
    'sort a.ts -r',
    'echo a -n',
    'mkdir new -p',
  ],
  // Not every `grep` takes the number from the next word: then the pattern is one more file.
  'a number of lines around that may be the pattern': ['grep -C 3 /etc/hosts a.ts'],
  // Its configuration is in the workspace and names programs to run, and it shows what files held whose names look secret.
  'git, whatever it does': [
    'git status',
    'git diff',
    'git diff a.ts',
    'git log --oneline -n 5',
    'git show HEAD:src/c.ts',
    'git branch',
    'git rev-parse --show-toplevel',
    'git -c core.pager=sh log',
    'git push',
    'git',
  ],
  'a program that is not known': [
    'npm run x',
    'npm test',
    'node a.ts',
    'sed -i s/a/b/ a.ts',
    'sed -n 1p a.ts',
    'awk x a.ts',
    'xargs ls',
    'env ls',
    'env',
    'printenv',
    'sudo ls',
    'sh a.ts',
    'time ls',
    'cd src',
    'rm a.ts',
    'touch a.ts',
    'tee a.ts',
    'curl x',
    './ls',
    '/bin/ls',
    'LS',
    'constructor',
    '__proto__',
  ],
};

describe('the safety class of a command line [M63]', () => {
  it('proves reading within the workspace', () => {
    for (const line of readOnly) assert.equal(classifyCommand(line, workspace), 'locallyReadOnly', line);
  });

  it('proves what only makes empty folders within the workspace', () => {
    for (const line of contained) assert.equal(classifyCommand(line, workspace), 'locallyContained', line);
  });

  for (const [what, lines] of Object.entries(asked))
    it(`asks about ${what}`, () => {
      for (const line of lines) assert.equal(classifyCommand(line, workspace), 'requiresAuthorization', line);
    });

  it('asks about every place when nobody knows where the command starts', () => {
    const somewhere = { ...workspace, startsInCwd: false };
    for (const line of ['ls', 'cat a.ts', 'rg x', 'find . -name x', 'mkdir new'])
      assert.equal(classifyCommand(line, somewhere), 'requiresAuthorization', line);
    for (const line of ['ls /work/src', 'cat /work/a.ts', 'pwd'])
      assert.equal(classifyCommand(line, somewhere), 'locallyReadOnly', line);
  });

  it('asks about everything when the workspace is all there is', () => {
    const everything = { cwd: '/', startsInCwd: true, look: () => ({ real: '/', kind: 'file' as const }) };
    for (const line of ['cat etc/hosts', 'cat /etc/hosts', 'ls'])
      assert.equal(classifyCommand(line, everything), 'requiresAuthorization', line);
  });

  it('asks about everything when the workspace is the home folder, or holds it: nobody put what is there into a project', () => {
    for (const home of ['/work', '/work/src', '/work/here'])
      assert.equal(classifyCommand('cat a.ts', { ...workspace, home }), 'requiresAuthorization', home);
    for (const home of ['/', '/workshop', '/nowhere'])
      assert.equal(classifyCommand('cat a.ts', { ...workspace, home }), 'locallyReadOnly', home);
  });

  it('never proves a line with a character that it does not know, wherever that stands', () => {
    const known = /^[\w.,:@+/="\u0020-]$/;
    const unknown = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 1 })
      .filter(text => !known.test(text));
    const shellish = fc.constantFrom(
      '$',
      '`',
      ';',
      '&',
      '|',
      '<',
      '>',
      '\n',
      '\r',
      '\t',
      '*',
      '?',
      '[',
      ']',
      '{',
      '}',
      '(',
      ')',
      '~',
      '#',
      '\\',
      "'",
      '!',
      '%',
      '^',
    );
    const cut = fc.tuple(fc.constantFrom(...readOnly, ...contained), fc.nat(40), fc.oneof(unknown, shellish));
    fc.assert(
      fc.property(cut, ([line, at, character]) => {
        const spoiled = line.slice(0, at) + character + line.slice(at);
        assert.equal(classifyCommand(spoiled, workspace), 'requiresAuthorization');
      }),
      leastRuns(5_000),
    );
  });

  it('takes any text at all, and proves none that is not plain words', () => {
    const unit = fc.constantFrom('ls', 'cat', ' ', 'a.ts', '"', '=', '-', '/', '.', '$', '\n', 'é', '\u202e');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), line => {
        const isPlain = plainWords(line) !== undefined;
        if (classifyCommand(line, workspace) !== 'requiresAuthorization') assert.ok(isPlain);
        if (/[^\x20-\x7e]|\$/.test(line)) assert.ok(!isPlain);
      }),
      leastRuns(5_000),
    );
  });

  it('answers at once for a long line', () => {
    assert.equal(plainWords('a '.repeat(50_000)), undefined);
    assert.equal(plainWords('"a '.repeat(600)), undefined);
  });
});
