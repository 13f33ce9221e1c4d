// Counts a test report in JSON. A skipped test is a failure here, unless its name says "(by hand)"; so is a test file
// that could not be read, and an end with an exit code that no failed test explains. Names what failed on stderr.
import fs from 'node:fs';

const [, , report, exitCode] = process.argv;
const { testResults } = JSON.parse(fs.readFileSync(report, 'utf8'));
let passed = 0;
let failed = 0;
for (const file of testResults) {
  const broken = file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed');
  if (broken) fail(file.name, file.message || 'the file could not be run');
  for (const test of file.assertionResults) {
    if (test.status === 'passed') passed++;
    else if (test.status === 'failed') fail(file.name, test.fullName);
    else if (!test.fullName.includes('(by hand)')) fail(file.name, `skipped: ${test.fullName}`);
  }
}
if (failed === 0 && exitCode !== '0') fail('npm test', `ended with exit code ${exitCode}`);
console.log(`${passed} ${failed}`);

function fail(file, what) {
  failed++;
  console.error(`failed: ${file}: ${String(what).split('\n')[0]}`);
}
